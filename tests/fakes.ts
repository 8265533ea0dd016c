import type { AppParts } from '../src/lib/server/services.ts';

/** Stands in for parts of the app of which a service needs only the given members. */
export const fakes = <Name extends keyof AppParts>(given: { [K in Name]: Partial<AppParts[K]> }) =>
  given as unknown as Pick<AppParts, Name>;
