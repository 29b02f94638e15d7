// SPDX-License-Identifier: MIT
#include "theme.h"
#include "views/glyph.h"

#include <QtCore/QtMath>
#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtTest/QtTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

#include <array>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace Baton::Monitor;

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr std::array States{Role::Led,   Role::LockDelay, Role::Vacant,
                            Role::Alarm, Role::Refused,   Role::Accepted};
constexpr std::array Backgrounds{Role::Canvas, Role::Panel, Role::Selection, Role::Band};

double linear(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

Vector linear(const QColor &color)
{
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

/// Contrast by WCAG 2.1, 1 to 21.
double contrast(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &color) {
        const Vector c = linear(color);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    };
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

struct Vision
{
    const char *name;
    Matrix matrix;
};

// Full protanopia, deuteranopia and tritanopia on linear RGB: Machado, Oliveira and Fernandes, 2009,
// severity 1.0.
constexpr std::array Visions{
    Vision{"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    Vision{"protan",
           {{{0.152286, 1.052583, -0.204868},
             {0.114503, 0.786281, 0.099216},
             {-0.003882, -0.048116, 1.051998}}}},
    Vision{
        "deutan",
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    Vision{"tritan",
           {{{1.255528, -0.076749, -0.178779},
             {-0.078411, 0.930809, 0.147602},
             {0.004733, 0.691367, 0.303900}}}},
};

Vector times(const Matrix &matrix, const Vector &v)
{
    Vector product{};
    for (std::size_t row = 0; row < 3; ++row)
        product[row] = matrix[row][0] * v[0] + matrix[row][1] * v[1] + matrix[row][2] * v[2];
    return product;
}

/// CIELAB under D65 of a colour as somebody sees it.
Vector lab(const QColor &color, const Matrix &vision)
{
    Vector seen = times(vision, linear(color));
    for (double &part : seen)
        part = std::clamp(part, 0.0, 1.0);
    const Matrix toXyz{{{0.4124564, 0.3575761, 0.1804375},
                        {0.2126729, 0.7151522, 0.0721750},
                        {0.0193339, 0.1191920, 0.9503041}}};
    const Vector xyz = times(toXyz, seen);
    const auto f = [](double t) {
        return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16) / 116;
    };
    const double x = f(xyz[0] / 0.95047);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double degrees(double y, double x)
{
    const double angle = qRadiansToDegrees(std::atan2(y, x));
    return angle < 0 ? angle + 360 : angle;
}

/// Sharma, Wu and Dalal, 2005.
double ciede2000(const Vector &one, const Vector &two)
{
    const double far = std::pow(25.0, 7);
    const double meanChroma = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2;
    const double g = 0.5 * (1 - std::sqrt(std::pow(meanChroma, 7) / (std::pow(meanChroma, 7) + far)));
    const double a1 = one[1] * (1 + g);
    const double a2 = two[1] * (1 + g);
    const double c1 = std::hypot(a1, one[2]);
    const double c2 = std::hypot(a2, two[2]);
    const double h1 = degrees(one[2], a1);
    const double h2 = degrees(two[2], a2);
    double turn = c1 * c2 == 0 ? 0 : h2 - h1;
    turn += turn > 180 ? -360 : turn < -180 ? 360 : 0;
    const double dL = two[0] - one[0];
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(qDegreesToRadians(turn / 2));
    const double l = (one[0] + two[0]) / 2;
    const double c = (c1 + c2) / 2;
    double h = c1 * c2 == 0 ? h1 + h2 : (h1 + h2) / 2;
    if (c1 * c2 != 0 && std::abs(h1 - h2) > 180)
        h += h1 + h2 < 360 ? 180 : -180;
    const auto cosine = [](double angle) { return std::cos(qDegreesToRadians(angle)); };
    const double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6)
        - 0.20 * cosine(4 * h - 63);
    const double sL = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sC = 1 + 0.045 * c;
    const double sH = 1 + 0.015 * c * t;
    const double theta = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double rC = 2 * std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + far));
    const double rT = -std::sin(qDegreesToRadians(2 * theta)) * rC;
    return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2)
                     + rT * dC / sC * dH / sH);
}

QByteArray nameOf(Role role)
{
    static constexpr std::array Names{"canvas", "panel", "line",   "text",  "muted",   "selection", "band",
                                      "led",    "delay", "vacant", "alarm", "refused", "accepted"};
    return Names.at(std::size_t(role));
}

QImage drawn(Glyph glyph)
{
    QImage image(32, 32, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintGlyph(&painter, QRectF(0, 0, 32, 32), glyph, Qt::black);
    return image;
}

} // namespace

class tst_theme : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void distanceFormulaAgreesWithItsAuthors_data();
    void distanceFormulaAgreesWithItsAuthors();
    void everyRoleIsReadable_data();
    void everyRoleIsReadable();
    void textOnBarsIsReadable_data();
    void textOnBarsIsReadable();
    void statesDifferInEveryVision_data();
    void statesDifferInEveryVision();
    void choiceIsApplied();
    void widgetsFollowTheirPalette();
    void glyphsDiffer();
    void iconsFollowTheTheme();
};

void tst_theme::distanceFormulaAgreesWithItsAuthors_data()
{
    QTest::addColumn<QList<double>>("pair");
    QTest::addColumn<double>("distance");
    // Rows of the table in their paper.
    QTest::newRow("1") << QList<double>{50, 2.6772, -79.7751, 50, 0, -82.7485} << 2.0425;
    QTest::newRow("hues far apart") << QList<double>{50, 2.5, 0, 50, 0, -2.5} << 4.3065;
    QTest::newRow("large") << QList<double>{50, 2.5, 0, 61, -5, 29} << 22.8977;
    QTest::newRow("dark") << QList<double>{2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514} << 0.9082;
}

void tst_theme::distanceFormulaAgreesWithItsAuthors()
{
    QFETCH(const QList<double>, pair);
    QFETCH(const double, distance);
    const double computed = ciede2000({pair[0], pair[1], pair[2]}, {pair[3], pair[4], pair[5]});
    QVERIFY2(std::abs(computed - distance) < 1e-4, qPrintable(QString::number(computed)));
}

void tst_theme::everyRoleIsReadable_data()
{
    QTest::addColumn<Shade>("shade");
    QTest::addColumn<Role>("role");
    QTest::addColumn<double>("least");
    for (const Shade shade : {Shade::Light, Shade::Dark}) {
        const QByteArray in = shade == Shade::Light ? "light " : "dark ";
        for (const Role role : States)
            QTest::newRow(in + nameOf(role)) << shade << role << 3.0;
        for (const Role role : {Role::Text, Role::Muted})
            QTest::newRow(in + nameOf(role)) << shade << role << 4.5;
    }
}

void tst_theme::everyRoleIsReadable()
{
    QFETCH(const Shade, shade);
    QFETCH(const Role, role);
    QFETCH(const double, least);
    for (const Role behind : Backgrounds) {
        const double value = contrast(themeColor(role, shade), themeColor(behind, shade));
        QVERIFY2(value >= least, qPrintable(u"%1 on %2"_s.arg(value).arg(QLatin1StringView(nameOf(behind)))));
    }
}

void tst_theme::textOnBarsIsReadable_data()
{
    QTest::addColumn<Shade>("shade");
    QTest::addColumn<Role>("bar");
    for (const Role role : States) {
        if (role == Role::Vacant)
            continue; // Drawn as an outline: its text stands on the canvas.
        QTest::newRow("light " + nameOf(role)) << Shade::Light << role;
        QTest::newRow("dark " + nameOf(role)) << Shade::Dark << role;
    }
}

void tst_theme::textOnBarsIsReadable()
{
    QFETCH(const Shade, shade);
    QFETCH(const Role, bar);
    QVERIFY(contrast(barTextColor(bar, shade), themeColor(bar, shade)) >= 4.5);
}

void tst_theme::statesDifferInEveryVision_data()
{
    QTest::addColumn<Shade>("shade");
    QTest::addColumn<int>("vision");
    QTest::addColumn<double>("least");
    for (int i = 0; i < int(Visions.size()); ++i) {
        QTest::addRow("light, %s", Visions.at(std::size_t(i)).name) << Shade::Light << i << 10.0;
        QTest::addRow("dark, %s", Visions.at(std::size_t(i)).name) << Shade::Dark << i << 11.0;
    }
}

void tst_theme::statesDifferInEveryVision()
{
    QFETCH(const Shade, shade);
    QFETCH(const int, vision);
    QFETCH(const double, least);
    const Matrix &matrix = Visions.at(std::size_t(vision)).matrix;
    for (std::size_t i = 0; i < States.size(); ++i) {
        for (std::size_t j = i + 1; j < States.size(); ++j) {
            const double distance = ciede2000(lab(themeColor(States[i], shade), matrix),
                                              lab(themeColor(States[j], shade), matrix));
            QVERIFY2(distance >= least,
                     qPrintable(u"%1 between %2 and %3"_s.arg(distance).arg(
                         QLatin1StringView(nameOf(States[i])), QLatin1StringView(nameOf(States[j])))));
        }
    }
}

void tst_theme::choiceIsApplied()
{
    Theme theme(ThemeChoice::Light);
    QCOMPARE(shadeOf(QApplication::palette()), Shade::Light);
    QCOMPARE(QApplication::palette().color(QPalette::Window), themeColor(Role::Canvas, Shade::Light));
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setChoice(ThemeChoice::Dark);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(theme.shade(), Shade::Dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), themeColor(Role::Canvas, Shade::Dark));
    theme.setChoice(ThemeChoice::Dark);
    QCOMPARE(changed.count(), 1);
    theme.setChoice(ThemeChoice::System); // The offscreen platform brings a light palette.
    QCOMPARE(theme.shade(), Shade::Light);
}

void tst_theme::widgetsFollowTheirPalette()
{
    QWidget widget;
    widget.setPalette(themePalette(Shade::Dark));
    QCOMPARE(colorFor(Role::Led, widget.palette()), themeColor(Role::Led, Shade::Dark));
    widget.setPalette(themePalette(Shade::Light));
    QCOMPARE(colorFor(Role::Led, widget.palette()), themeColor(Role::Led, Shade::Light));
}

void tst_theme::glyphsDiffer()
{
    constexpr auto Last = int(Glyph::ChevronDown);
    QList<QImage> images;
    for (int i = 0; i <= Last; ++i) {
        const QImage image = drawn(Glyph(i));
        QImage blank(image.size(), image.format());
        blank.fill(Qt::white);
        QVERIFY2(image != blank, qPrintable(u"glyph %1 draws nothing"_s.arg(i)));
        QVERIFY2(!images.contains(image), qPrintable(u"glyph %1 looks like another"_s.arg(i)));
        images += image;
    }
}

void tst_theme::iconsFollowTheTheme()
{
    Theme theme(ThemeChoice::Light);
    const QIcon icon = glyphIcon(Glyph::Led, Role::Led);
    QCOMPARE(icon.pixmap(32).toImage().pixelColor(16, 16), themeColor(Role::Led, Shade::Light));
    theme.setChoice(ThemeChoice::Dark);
    QCOMPARE(icon.pixmap(32).toImage().pixelColor(16, 16), themeColor(Role::Led, Shade::Dark));
}

QTEST_MAIN(tst_theme)
#include "tst_theme.moc"
