// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"

#include <Baton/clusterrecords.h>

#include <QtCore/QString>

#include <optional>

/*!
 * Numbers, times and foreign text as people read them: translated units, the default locale's decimal sign,
 * thin spaces between thousands. Pure functions.
 */
namespace Baton::Monitor::Format {

/// Characters of a foreign text that are shown in a cell.
inline constexpr int CellLength = 120;
/// ... and in details and tool tips.
inline constexpr int DetailLength = 2'000;

/// How long something took: `4 ms`, `1.3 s`, `22.4 s`, `2:39`, `3 h 12 min`, `5 d 3 h`. Negative ones have a
/// minus sign.
[[nodiscard]] QString duration(Nanoseconds length);
/// What is left of something: tenths of a second below a minute, then as age(), rounded up.
[[nodiscard]] QString countdown(Nanoseconds left);
/// How long something has been so, in whole seconds, rounded down: `0:14`, `2:39`, `3 h 12 min`, `5 d 3 h`.
[[nodiscard]] QString age(Nanoseconds length);
/// A setting of Consul, as exact as it is: `500 ms`, `10 s`, `1 min 30 s`, `24 h`.
[[nodiscard]] QString setting(std::chrono::milliseconds length);
/// The coarse lower bound of an age: `≥ 14 s`, `≥ 12 min`, `≥ 3 h`, `≥ 2 d`.
[[nodiscard]] QString atLeast(Nanoseconds length);

/// `1 204`, with thin spaces: tokens, indexes, counts.
[[nodiscard]] QString number(quint64 value);
/// As number(); `–` for none.
[[nodiscard]] QString token(const std::optional<quint64> &value);
/// A session id cut in the middle: `3f1c02aa…9b21`. Other text is made safe and cut likewise.
[[nodiscard]] QString sessionId(const QString &id);

/// `14:03:27`; with the date before it where it is not the day of \a today.
[[nodiscard]] QString timeOfDay(const QDateTime &date, const QDateTime &today = QDateTime::currentDateTime());
/// The instant that an observed time is shown as: the middle of what is possible.
[[nodiscard]] Nanoseconds middle(const ObservedTime &time);
/// How far off an observed time may be: `±0.3 s`; `±0 ms` is never said, the least is `±1 ms`.
[[nodiscard]] QString spread(const ObservedTime &time);
/// `14:02:11 (±0.3 s)`, or `seen ≥ 3 h` where it was there at the first look.
[[nodiscard]] QString moment(const ObservedTime &time, const Clock &clock);
/// `created 14:02:11 (±0.3 s)`, or `seen ≥ 3 h`.
[[nodiscard]] QString created(const ObservedTime &time, const Clock &clock);
/// The Since column: `14:01:02  2:39`, or `seen ≥ 3 h`.
[[nodiscard]] QString since(const ObservedTime &time, const Clock &clock);
/// `free in 1.0 to 1.3 s`; `free now or within 0.2 s`; `free for 0:03` once the last moment has passed.
[[nodiscard]] QString freeIn(const LockDelayWindow &window, Nanoseconds now);
/// A band: `22.0–22.6 s`, or `15.0 s` where both ends read the same.
[[nodiscard]] QString band(Nanoseconds earliest, Nanoseconds latest);

/*!
 * Text from Consul or another stranger, made safe to show: one line, control characters and line ends as
 * symbols (U+2400 block), marks that turn the writing direction or are invisible as `‹U+202E›`, unpaired
 * surrogates as U+FFFD, cut to \a most characters with an ellipsis. Still plain text: a label that shows it
 * must be told so.
 */
[[nodiscard]] QString safe(const QString &text, int most = CellLength);
/// As safe(), for bytes that may be no UTF-8.
[[nodiscard]] QString safe(const QByteArray &bytes, int most = CellLength);
/// As safe(), for the middle of a sentence: text that is written from right to left is kept apart from its
/// neighbours (U+2068 and U+2069, which are not seen).
[[nodiscard]] QString inSentence(const QString &text, int most = CellLength);

} // namespace Baton::Monitor::Format
