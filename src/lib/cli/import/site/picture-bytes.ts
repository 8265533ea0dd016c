/** The largest file that a reader hands on as a picture; what the site takes is less. */
export const MOST_PICTURE_BYTES = 64 * 1024 * 1024;
