const TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

export const typeOfPicture = (address: string): string =>
  TYPES[/\.(\w+)$/.exec(address)?.[1] ?? ''] ?? 'image/webp';
