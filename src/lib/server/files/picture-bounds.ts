/** Of a picture that is decoded, all frames together. */
export const MOST_PIXELS = 50_000_000;

/** Sharp, as whoever locks it down hands it on. */
export type OpenPicture = typeof import('sharp').default;
