// SPDX-License-Identifier: MIT
#include "theme.h"

#include <QtGui/QFontDatabase>
#include <QtWidgets/QApplication>
#include <QtWidgets/QStyleFactory>

#include <array>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Entry
{
    Role role;
    QRgb light;
    QRgb dark;
};

// tst_theme computes contrast and distance of these in normal and colour-blind vision: a change that makes a
// state hard to read, or hard to tell from another, fails there.
constexpr std::array Table{
    Entry{Role::Canvas, 0xFFFFFFFF, 0xFF16191D},    Entry{Role::Panel, 0xFFF4F6F8, 0xFF1E2227},
    Entry{Role::Line, 0xFFD5DAE0, 0xFF343A41},      Entry{Role::Text, 0xFF1B1F24, 0xFFE6E9EC},
    Entry{Role::Muted, 0xFF5B6470, 0xFF9AA4AF},     Entry{Role::Selection, 0xFFDCE7F7, 0xFF22375A},
    Entry{Role::Band, 0xFFE4EAF2, 0xFF27303A},      Entry{Role::Led, 0xFF1D4E91, 0xFF5B9BF5},
    Entry{Role::LockDelay, 0xFFA87700, 0xFFFBCB57}, Entry{Role::Vacant, 0xFF77808D, 0xFF848C94},
    Entry{Role::Alarm, 0xFFB3201A, 0xFFF26650},     Entry{Role::Refused, 0xFFBE36CC, 0xFFDE90C0},
    Entry{Role::Accepted, 0xFF1C7D61, 0xFF30DDAB},
};

constexpr QRgb InkOnBars = 0xFF14171A;
constexpr QRgb WhiteOnBars = 0xFFFFFFFF;

constexpr qreal MutedSize = 0.92;
constexpr qreal HeadingSize = 1.15;
constexpr qreal VerdictSize = 1.5;

QFont scaled(QFont font, qreal factor)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    return font;
}

QColor mixed(const QColor &a, const QColor &b, qreal share)
{
    const auto part = [share](qreal from, qreal to) { return from + (to - from) * share; };
    return QColor::fromRgbF(float(part(a.redF(), b.redF())), float(part(a.greenF(), b.greenF())),
                            float(part(a.blueF(), b.blueF())));
}

// Fusion's gradients and bevels would compete with the states for attention, so controls are flat.
const QString SheetTemplate = uR"(
QToolTip { background: %panel; color: %text; border: 1px solid %line; padding: 4px 6px; }
QPushButton, QToolButton#framed { background: %canvas; color: %text; border: 1px solid %line; border-radius: 4px;
    padding: 4px 12px; min-height: 16px; }
QPushButton:hover, QToolButton#framed:hover { background: %hover; }
QPushButton:pressed, QPushButton:checked, QToolButton#framed:pressed, QToolButton#framed:checked { background: %selection; }
QPushButton:focus, QToolButton#framed:focus { border: 1px solid %led; }
QPushButton:disabled, QToolButton#framed:disabled { color: %muted; background: %panel; }
QPushButton:default { background: %led; color: %onled; border: 1px solid %led; }
QPushButton:default:hover { background: %ledhover; }
QPushButton:default:focus { border: 1px solid %text; }
QPushButton:default:disabled { background: %panel; color: %muted; border: 1px solid %line; }
QToolButton#framed::menu-indicator, QPushButton::menu-indicator { image: none; width: 0; }
QToolButton#scope { background: transparent; color: %text; border: 1px solid transparent; border-radius: 4px;
    padding: 3px 10px; min-height: 18px; }
QToolButton#scope:hover { background: %hover; }
QToolButton#scope:checked { background: %selection; }
QToolButton#scope:focus { border: 1px solid %led; }
QToolButton#rail { background: transparent; color: %muted; border: none; border-left: 3px solid transparent;
    padding: 8px 8px 8px 5px; }
QToolButton#rail:hover { background: %hover; color: %text; }
QToolButton#rail:checked { background: %selection; color: %text; border-left: 3px solid %led; }
QToolButton#rail:focus { color: %text; border-left: 3px solid %muted; }
QToolButton#rail:checked:focus { border-left: 3px solid %led; }
QToolButton#link, QPushButton#link { background: transparent; border: 1px solid transparent; color: %text;
    padding: 2px 6px; border-radius: 3px; }
QToolButton#link:hover, QPushButton#link:hover { background: %hover; }
QToolButton#link:focus, QPushButton#link:focus { border: 1px solid %led; }
QLineEdit, QComboBox, QPlainTextEdit, QSpinBox { background: %canvas; border: 1px solid %line;
    border-radius: 4px; padding: 4px 8px; min-height: 16px; selection-background-color: %selection;
    selection-color: %text; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus { border: 1px solid %led; }
QLineEdit:disabled, QComboBox:disabled { color: %muted; background: %panel; }
QLineEdit[leading="true"] { padding-left: 0; }
QComboBox { padding-left: 10px; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: none; width: 0; height: 0; }
QLineEdit#invalid { border: 1px solid %alarm; }
QPushButton#fold { background: transparent; border: 1px solid transparent; border-radius: 3px; padding: 2px 6px 2px 0;
    text-align: left; }
QPushButton#fold:focus { border: 1px solid %led; }
QTableView, QListWidget { background: %canvas; alternate-background-color: %canvas; border: none; color: %text;
    selection-background-color: %selection; selection-color: %text; outline: none; }
QListWidget#boxed { border: 1px solid %line; border-radius: 4px; }
QListWidget::item { padding: 6px 8px; border: none; }
QListWidget::item:selected { background: %selection; color: %text; }
QHeaderView { background: %canvas; border: none; }
QHeaderView::section { background: %canvas; color: %muted; border: none; border-bottom: 1px solid %line;
    padding: 4px 8px; }
QHeaderView::section:first { padding-left: 16px; }
QHeaderView::section:hover { color: %text; }
QSplitter::handle { background: %line; }
QSplitter::handle:hover { background: %muted; }
QSplitter::handle:vertical { height: 1px; }
QAbstractScrollArea::corner { background: %canvas; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; border: none; }
QScrollBar::handle { background: %scroll; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: %muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QMenu { background: %panel; color: %text; border: 1px solid %line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border-radius: 3px; }
QMenu::item:selected { background: %selection; }
QMenu::item:disabled { color: %muted; }
QMenu::separator { height: 1px; background: %line; margin: 4px 6px; }
QMenu::indicator { width: 12px; height: 12px; left: 6px; }
#panel { background: %panel; }
#canvas { background: %canvas; }
#strip { background: %panel; border-bottom: 1px solid %line; }
#railArea { background: %panel; border-right: 1px solid %line; }
#provenance { background: %panel; border-top: 1px solid %line; }
)"_s;

} // namespace

QColor themeColor(Role role, Shade shade)
{
    const Entry &entry = Table.at(std::size_t(role));
    return QColor::fromRgb(shade == Shade::Light ? entry.light : entry.dark);
}

QColor barTextColor(Role bar, Shade shade)
{
    const bool white = shade == Shade::Light && bar != Role::LockDelay && bar != Role::Vacant;
    return QColor::fromRgb(white ? WhiteOnBars : InkOnBars);
}

QPalette themePalette(Shade shade)
{
    const auto color = [shade](Role role) { return themeColor(role, shade); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(Role::Canvas));
    palette.setColor(QPalette::Base, color(Role::Canvas));
    palette.setColor(QPalette::AlternateBase, color(Role::Panel));
    palette.setColor(QPalette::Button, color(Role::Panel));
    palette.setColor(QPalette::ToolTipBase, color(Role::Panel));
    palette.setColor(QPalette::WindowText, color(Role::Text));
    palette.setColor(QPalette::Text, color(Role::Text));
    palette.setColor(QPalette::ButtonText, color(Role::Text));
    palette.setColor(QPalette::ToolTipText, color(Role::Text));
    palette.setColor(QPalette::BrightText, color(Role::Text));
    palette.setColor(QPalette::PlaceholderText, color(Role::Muted));
    palette.setColor(QPalette::Highlight, color(Role::Selection));
    palette.setColor(QPalette::HighlightedText, color(Role::Text));
    palette.setColor(QPalette::Link, color(Role::Led));
    palette.setColor(QPalette::LinkVisited, color(Role::Led));
    palette.setColor(QPalette::Light, color(Role::Panel));
    palette.setColor(QPalette::Midlight, color(Role::Panel));
    palette.setColor(QPalette::Mid, color(Role::Line));
    palette.setColor(QPalette::Dark, color(Role::Line));
    palette.setColor(QPalette::Shadow, color(Role::Line));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(Role::Muted));
    return palette;
}

Shade shadeOf(const QPalette &palette)
{
    constexpr int Middle = 128; // of QColor::lightness(), 0 to 255.
    return palette.color(QPalette::Window).lightness() < Middle ? Shade::Dark : Shade::Light;
}

QColor colorFor(Role role, const QPalette &palette)
{
    return themeColor(role, shadeOf(palette));
}

QFont mutedFont(QFont body)
{
    return scaled(std::move(body), MutedSize);
}

QFont headingFont(QFont body)
{
    QFont font = scaled(std::move(body), HeadingSize);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont verdictFont(QFont body)
{
    QFont font = scaled(std::move(body), VerdictSize);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont monospaceFont(const QFont &body)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (body.pointSizeF() > 0)
        font.setPointSizeF(body.pointSizeF());
    else
        font.setPixelSize(body.pixelSize());
    return font;
}

Theme::Theme(ThemeChoice choice, QObject *parent) : QObject(parent), m_choice(choice)
{
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    apply();
}

void Theme::setChoice(ThemeChoice choice)
{
    if (choice == m_choice)
        return;
    m_choice = choice;
    apply();
}

void Theme::followSystem()
{
    if (m_choice == ThemeChoice::System)
        apply();
}

void Theme::apply()
{
    switch (m_choice) {
    case ThemeChoice::Light:
        m_shade = Shade::Light;
        break;
    case ThemeChoice::Dark:
        m_shade = Shade::Dark;
        break;
    case ThemeChoice::System:
        QApplication::setPalette(QPalette()); // Takes ours away, so that the platform's own shows.
        m_shade = shadeOf(QApplication::palette());
        break;
    }
    QApplication::setPalette(themePalette(m_shade));

    const auto color = [this](Role role) { return themeColor(role, m_shade); };
    QString sheet = SheetTemplate;
    const auto set = [&sheet](const QString &name, const QColor &value) {
        sheet.replace(name, value.name());
    };
    set(u"%ledhover"_s, mixed(color(Role::Led), color(Role::Text), 0.15));
    set(u"%onled"_s, barTextColor(Role::Led, m_shade));
    set(u"%led"_s, color(Role::Led));
    set(u"%alarm"_s, color(Role::Alarm));
    set(u"%canvas"_s, color(Role::Canvas));
    set(u"%panel"_s, color(Role::Panel));
    set(u"%line"_s, color(Role::Line));
    set(u"%text"_s, color(Role::Text));
    set(u"%muted"_s, color(Role::Muted));
    set(u"%selection"_s, color(Role::Selection));
    set(u"%hover"_s, mixed(color(Role::Panel), color(Role::Line), 0.5));
    set(u"%scroll"_s, mixed(color(Role::Line), color(Role::Muted), 0.35));
    qApp->setStyleSheet(sheet);
    Q_EMIT changed(m_shade);
}

} // namespace Baton::Monitor
