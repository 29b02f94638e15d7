// SPDX-License-Identifier: MIT
#include "views/connectionform.h"

#include "views/widgets.h"

#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

constexpr int FieldWidth = 360;

QStringList words(const QString &text)
{
    QStringList found;
    for (const QString &part : text.split(u',')) {
        if (!part.trimmed().isEmpty())
            found += part.trimmed();
    }
    return found;
}

} // namespace

ConnectionForm::ConnectionForm(QWidget *parent)
    : QWidget(parent), m_form(new QFormLayout(this)), m_name(addField(tr("Name"), tr("prod-eu"))),
      m_address(addField(tr("Address"), u"http://127.0.0.1:8500"_s)),
      m_datacenter(addField(tr("Datacenter"), tr("the agent's own"))),
      m_prefixes(addField(tr("Prefixes"), u"service/"_s)), m_tokenSource(choiceBox(this)),
      m_token(new QLineEdit(this)), m_problem(wrappedLabel({}, this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(2 * Grid);
    m_form->setVerticalSpacing(Grid);
    m_form->setLabelAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_prefixes->setToolTip(tr("Where elections are looked for, up to four, with commas between"));
    m_tokenSource->addItem(tr("None: anonymous"), int(TokenSource::None));
    m_tokenSource->addItem(tr("From a file"), int(TokenSource::File));
    m_tokenSource->addItem(tr("From an environment variable"), int(TokenSource::Environment));
    m_tokenSource->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_form->addRow(plainLabel(tr("ACL token"), this), m_tokenSource);
    m_form->addRow(QString(), m_token);
    m_form->addRow(QString(), m_problem);
    m_problem->setMinimumHeight(2 * fontMetrics().height());
    m_problem->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    setTextRole(m_problem, Role::Muted);
    connect(m_tokenSource, &QComboBox::currentIndexChanged, this, [this] {
        showTokenField();
        check();
    });
    connect(m_token, &QLineEdit::textChanged, this, &ConnectionForm::check);
    connect(m_token, &QLineEdit::returnPressed, this, &ConnectionForm::submitted);
    setProfile(ConnectionProfile::make({}, {}));
}

QLineEdit *ConnectionForm::addField(const QString &name, const QString &hint)
{
    auto *edit = new QLineEdit(this);
    edit->setPlaceholderText(hint);
    edit->setMinimumWidth(FieldWidth);
    edit->setAccessibleName(name);
    m_form->addRow(plainLabel(name, this), edit);
    connect(edit, &QLineEdit::textChanged, this, &ConnectionForm::check);
    connect(edit, &QLineEdit::returnPressed, this, &ConnectionForm::submitted);
    return edit;
}

void ConnectionForm::setProfile(const ConnectionProfile &profile)
{
    m_profile = profile;
    m_name->setText(profile.name);
    m_address->setText(profile.address);
    m_datacenter->setText(profile.datacenter);
    m_prefixes->setText(profile.prefixes.join(u", "_s));
    m_tokenSource->setCurrentIndex(m_tokenSource->findData(int(profile.tokenSource)));
    showTokenField();
    check();
}

void ConnectionForm::showTokenField()
{
    const auto source = TokenSource(m_tokenSource->currentData().toInt());
    m_form->setRowVisible(m_token, source != TokenSource::None);
    m_token->setAccessibleName(source == TokenSource::File ? tr("Token file") : tr("Token variable"));
    switch (source) {
    case TokenSource::None:
        m_token->clear();
        m_token->setPlaceholderText({});
        break;
    case TokenSource::File:
        m_token->setText(m_profile.tokenFile);
        m_token->setPlaceholderText(u"/etc/consul.d/monitor.token"_s);
        break;
    case TokenSource::Environment:
        m_token->setText(m_profile.tokenVariable);
        m_token->setPlaceholderText(u"CONSUL_HTTP_TOKEN"_s);
        break;
    }
}

ConnectionProfile ConnectionForm::profile() const
{
    ConnectionProfile profile = m_profile;
    profile.address = m_address->text().trimmed();
    profile.name = m_name->text().trimmed();
    if (profile.name.isEmpty())
        profile.name = profile.address.isEmpty() ? tr("Local agent") : profile.address;
    profile.datacenter = m_datacenter->text().trimmed();
    const QStringList prefixes = words(m_prefixes->text());
    profile.prefixes = prefixes.isEmpty() ? ConnectionProfile().prefixes : prefixes;
    profile.tokenSource = TokenSource(m_tokenSource->currentData().toInt());
    if (profile.tokenSource == TokenSource::File)
        profile.tokenFile = m_token->text().trimmed();
    else if (profile.tokenSource == TokenSource::Environment)
        profile.tokenVariable = m_token->text().trimmed();
    return profile;
}

bool ConnectionForm::isValid() const
{
    return profile().validate().isEmpty();
}

void ConnectionForm::check()
{
    m_problem->setText(profile().validate().value(0));
    Q_EMIT edited();
}

} // namespace Baton::Monitor
