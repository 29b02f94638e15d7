// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtWidgets/QWidget>

class QGridLayout;
class QLabel;

namespace Baton::Monitor {

class ElidedLabel;

/// Names and values, as a details pane shows them: in as many columns of pairs as there is room for.
class FieldList : public QWidget
{
    Q_OBJECT
public:
    struct Field
    {
        QString name;
        QString value;
        bool monospace = false;

        bool operator==(const Field &) const = default;
    };

    explicit FieldList(QWidget *parent = nullptr);

    /// Widgets are kept and only their texts changed, so that nothing flickers.
    void show(const QList<Field> &fields);
    void setMuted(bool muted);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    QGridLayout *m_grid;
    QList<Field> m_fields;
    QList<std::pair<QLabel *, ElidedLabel *>> m_rows;
    int m_columns = 0;
};

} // namespace Baton::Monitor
