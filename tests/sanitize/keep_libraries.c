/* Linked into sanitized builds alone. The leak checker names a leak's library only while that is
 * loaded; graphics drivers are unloaded before it looks, and their leaks could then not be
 * distinguished from ours. So no library is unloaded. */
int dlclose(void *library);

int dlclose(void *library) {
    (void)library;
    return 0;
}
