// SPDX-License-Identifier: MIT
#pragma once

#include "scene.h"

#include "models/profiles.h"
#include "theme.h"
#include "window.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>

namespace Baton::Testing {

/// What is wrong with a read of the sessions.
inline ObserveError trouble(ObserveTrouble kind, int status, const QString &detail, const QString &rule = {})
{
    ObserveError error;
    error.trouble = kind;
    error.part = ObservedPart::Sessions;
    error.status = status;
    error.detail = detail;
    error.missingRule = rule;
    return error;
}

/// A window that is fed by the test: no network, no disk but a folder that goes with it.
struct WindowFixture
{
    explicit WindowFixture(Monitor::ThemeChoice choice = Monitor::ThemeChoice::Light,
                           QSize size = {1280, 800})
        : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat), theme(choice),
          profiles(settings), window({profiles, theme, settings})
    {
        window.resize(size);
    }

    /// As if a Consul had been connected.
    Monitor::Feed &feed(const Scene &scene, std::function<std::chrono::nanoseconds()> now = {})
    {
        Monitor::Feed &feed = window.openFeed(
            QStringLiteral("prod-eu"),
            now ? std::move(now) : [] { return std::chrono::nanoseconds(Scene::Now); });
        feed.show(Scene::live());
        feed.show(scene.snapshot(), scene.delta());
        return feed;
    }

    QTemporaryDir folder;
    QSettings settings;
    Monitor::Theme theme;
    Monitor::Profiles profiles;
    Monitor::Window window;
};

} // namespace Baton::Testing
