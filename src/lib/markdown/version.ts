/** Stored beside rendered articles; raise it when a source gives another result, and they are renewed. */
export const RENDERER_VERSION = 10;
