/*
 * slow_build.h - SLOW_BUILD is 1 where a sanitizer makes everything many times slower: tests then
 * do less of the same.
 */
#ifndef FH_TESTS_SLOW_BUILD_H
#define FH_TESTS_SLOW_BUILD_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD 0
#endif

#endif
