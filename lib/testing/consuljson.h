// SPDX-License-Identifier: MIT
#pragma once

#include "consulrecords.h"

/// The model's records in Consul's JSON, members in Consul's order.
namespace Baton::Testing {

[[nodiscard]] QByteArray entryJson(const KvEntry &entry);
[[nodiscard]] QByteArray sessionJson(const SessionRecord &session);
/// A transaction's answer. \a tail is what follows its errors.
[[nodiscard]] QByteArray transactionJson(const Outcome &outcome, const QByteArray &tail);
[[nodiscard]] QByteArray checkJson(const CheckRecord &check, const ServiceRecord *service);
/// `passing`, `warning`, `critical`
[[nodiscard]] QString statusName(CheckStatus status);
[[nodiscard]] QByteArray textsJson(const QStringList &texts);
[[nodiscard]] QByteArray mapJson(const std::map<QString, QString> &map);
[[nodiscard]] QByteArray listJson(const QByteArrayList &items);
/// `,"CreateIndex":…,"ModifyIndex":…`
[[nodiscard]] QByteArray indexesJson(quint64 createIndex, quint64 modifyIndex);

} // namespace Baton::Testing
