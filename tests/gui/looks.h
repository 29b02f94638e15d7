// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QElapsedTimer>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

class QWidget;

namespace Baton::Testing {

/// What is wrong with how the visible widgets within \a window look: texts that are cut, widgets that stick
/// out of their parents. Empty where all is well.
[[nodiscard]] QStringList flawsOf(const QWidget &window);

/// Keeps a picture of \a window beside the tests, in pictures/NAME.png: whoever changes a page looks at it.
void takePicture(QWidget &window, const QString &name);

/*!
 * How much processor time a single turn of the event loop takes: what a user feels as a stall, without what
 * the machine does besides.
 */
class StallProbe : public QObject
{
    Q_OBJECT
public:
    StallProbe();

    [[nodiscard]] std::chrono::nanoseconds longest() const { return m_longest; }
    void reset();

private:
    void look();

    QTimer m_timer;
    std::chrono::nanoseconds m_last{};
    std::chrono::nanoseconds m_longest{};
};

} // namespace Baton::Testing
