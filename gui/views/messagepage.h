// SPDX-License-Identifier: MIT
#pragma once

#include "views/glyph.h"

#include <QtWidgets/QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace Baton::Monitor {

/// What is said where there is nothing to show.
struct Message
{
    Glyph glyph = Glyph::Vacant;
    Role role = Role::Muted;
    QString title;
    QString cause; ///< One sentence.
    QString advice; ///< One sentence.
    QString detail; ///< Folded; empty where there is none.

    bool operator==(const Message &) const = default;
};

/// An empty or error page: the cause, what to do, buttons for that, and the technical detail behind a fold.
class MessagePage : public QWidget
{
    Q_OBJECT
public:
    explicit MessagePage(QWidget *parent = nullptr);

    /// The first action is the one that is meant.
    void show(const Message &message, const QList<QAction *> &actions);
    [[nodiscard]] const Message &message() const { return m_message; }
    [[nodiscard]] bool isUnfolded() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void unfold(bool open);

    Message m_message;
    QList<QAction *> m_actions;
    QWidget *m_picture;
    QLabel *m_title;
    QLabel *m_cause;
    QLabel *m_advice;
    QHBoxLayout *m_buttons;
    QPushButton *m_fold;
    QPlainTextEdit *m_detail;
};

} // namespace Baton::Monitor
