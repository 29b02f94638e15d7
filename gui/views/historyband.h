// SPDX-License-Identifier: MIT
#pragma once

#include "models/clock.h"
#include "views/glyph.h"

#include <Baton/clusterrecords.h>

#include <QtWidgets/QWidget>

namespace Baton::Monitor {

/*!
 * The last hour of one election in one band: who led, when nobody did, and the lock-delay. What was not
 * watched stays empty. The table below it holds the same facts.
 */
class HistoryBand : public QWidget
{
    Q_OBJECT
public:
    static constexpr std::chrono::minutes Span{60};

    /// A part of the band; instants of the clock.
    struct Part
    {
        enum class Kind { Led, Vacant, LockDelay, Orphaned };
        Kind kind = Kind::Led;
        Nanoseconds from{};
        Nanoseconds to{};
        QString text;

        bool operator==(const Part &) const = default;
    };

    explicit HistoryBand(const Clock &clock, QWidget *parent = nullptr);

    /// Null for none.
    void show(const ElectionPtr &election);
    void setMuted(bool muted);
    /// What \a election's last Span looks like at \a now, oldest first.
    [[nodiscard]] static QList<Part> partsOf(const ElectionRecord &election, Nanoseconds now);
    /// Where \a instant is drawn.
    [[nodiscard]] qreal xOf(Nanoseconds instant) const;
    [[nodiscard]] QRectF barRect() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void paintAxis(QPainter &painter) const;
    void paintPart(QPainter &painter, const Part &part) const;

    const Clock &m_clock;
    ElectionPtr m_election;
    bool m_muted = false;
};

} // namespace Baton::Monitor
