/** A file's bytes: 200,000 characters of four, and room for what stands in front. */
export const MOST_BYTES = 2 * 1024 * 1024;
