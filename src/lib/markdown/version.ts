/**
 * Stored beside rendered articles. Add one whenever the same source gives another result: older rows are
 * rendered again.
 */
export const RENDERER_VERSION = 4;
