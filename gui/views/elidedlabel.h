// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QFrame>

namespace Baton::Monitor {

/*!
 * One line of plain text that is cut with an ellipsis where there is no room, and complete in its tooltip.
 * For names that come from Consul: they may be long, and are never read as mark-up.
 */
class ElidedLabel : public QFrame
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    [[nodiscard]] QString text() const { return m_text; }
    void setText(const QString &text);
    [[nodiscard]] bool isElided() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QString m_text;
};

} // namespace Baton::Monitor
