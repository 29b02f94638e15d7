// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QAction;
class QVBoxLayout;

namespace Baton::Monitor {

/// The pages, one below the other, each with its picture and its word.
class Rail : public QWidget
{
    Q_OBJECT
public:
    explicit Rail(QWidget *parent = nullptr);

    /// \a page is checkable and opens its page.
    void addPage(QAction *page);

private:
    QVBoxLayout *m_pages;
};

} // namespace Baton::Monitor
