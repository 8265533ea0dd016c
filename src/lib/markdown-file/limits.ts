/** Maximum bytes of a file: 200,000 characters of four bytes, plus front matter. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Maximum bytes of a file with embedded pictures, which become files. */
export const MAX_EMBEDDING_BYTES = 64 * 1024 * 1024;
