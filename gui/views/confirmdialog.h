// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QDialog>

namespace Baton::Monitor {

/// Asks before something is done that changes who leads.
class ConfirmDialog : public QDialog
{
    Q_OBJECT
public:
    struct Question
    {
        QString title;
        /// The object, by its full name.
        QString object;
        /// What will happen, a sentence each.
        QStringList effects;
        /// What the button says.
        QString deed;
        /// To be typed before; empty where a click will do.
        QString typed;
    };

    explicit ConfirmDialog(const Question &question, QWidget *parent = nullptr);
};

} // namespace Baton::Monitor
