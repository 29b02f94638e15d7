// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QDialog>

class QListWidget;
class QPushButton;

namespace Baton::Monitor {

class ConnectionForm;
class Profiles;

/// The connections: choose one, change it, make another (Ctrl+L).
class ConnectionDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ConnectionDialog(Profiles &profiles, QWidget *parent = nullptr);

Q_SIGNALS:
    /// The profile with this id was saved and is to be used.
    void chosen(const QString &id);

private:
    void fill(const QString &current);
    void showCurrent();
    void addNew();
    void removeCurrent();
    void connectToIt();

    Profiles &m_profiles;
    QListWidget *m_list;
    ConnectionForm *m_form;
    QPushButton *m_remove;
    QPushButton *m_connect;
};

} // namespace Baton::Monitor
