// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/qglobal.h>

#if defined(BATON_STATIC)
#define BATON_EXPORT
#elif defined(BATON_LIBRARY)
#define BATON_EXPORT Q_DECL_EXPORT
#else
#define BATON_EXPORT Q_DECL_IMPORT
#endif
