// SPDX-License-Identifier: MIT
#pragma once

#include "feed.h"

#include <QtWidgets/QWidget>

namespace Baton::Monitor {

class Actions;
class ElidedLabel;
class FieldList;

/// Everything about the chosen session: what it holds, what ends it, and what is odd about it.
class SessionDetails : public QWidget
{
    Q_OBJECT
public:
    SessionDetails(Feed &feed, Actions &actions, QWidget *parent = nullptr);

    void refresh();
    void tick();

private:
    Feed &m_feed;
    ElidedLabel *m_name;
    ElidedLabel *m_note;
    FieldList *m_fields;
};

} // namespace Baton::Monitor
