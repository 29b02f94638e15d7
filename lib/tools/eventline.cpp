// SPDX-License-Identifier: MIT
#include "eventline.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

namespace Baton::Tools {

EventLine &EventLine::add(const char *name, const QString &text)
{
    // Qt escapes text only as part of a document; the brackets of the array are taken off again.
    return addRaw(name, QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact).sliced(1).chopped(1));
}

EventLine &EventLine::add(const char *name, quint64 number)
{
    return addRaw(name, QByteArray::number(number));
}

EventLine &EventLine::add(const char *name, qint64 number)
{
    return addRaw(name, QByteArray::number(number));
}

EventLine &EventLine::add(const char *name, bool value)
{
    return addRaw(name, value ? "true" : "false");
}

EventLine &EventLine::addRaw(const char *name, const QByteArray &value)
{
    if (m_text.size() > 1)
        m_text += ',';
    m_text += QByteArray("\"") + name + "\":" + value;
    return *this;
}

} // namespace Baton::Tools
