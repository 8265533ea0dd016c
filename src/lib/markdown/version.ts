/**
 * Stored with rendered articles. Raise it when the output for a source changes; stored articles are then
 * rendered again.
 */
export const RENDERER_VERSION = 13;
