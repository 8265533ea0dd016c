/** Decodes percent-encoding; returns the address unchanged if it is malformed. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
