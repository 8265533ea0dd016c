const TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

/** The media type of an uploaded picture, by the ending of its name. */
export const typeOfPicture = (address: string): string =>
  TYPES[/\.(\w+)$/.exec(address)?.[1] ?? ''] ?? 'image/webp';
