// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QDialog>

namespace Baton::Monitor {

class Actions;

/// What the glyphs mean and which keys there are (`?`).
class HelpDialog : public QDialog
{
    Q_OBJECT
public:
    explicit HelpDialog(const Actions &actions, QWidget *parent = nullptr);
};

} // namespace Baton::Monitor
