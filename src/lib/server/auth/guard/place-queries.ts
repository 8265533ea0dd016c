import type { Database, Queryable, Trx } from '../../db/database.ts';
import { valuesOf } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';

export type PlaceRow = Awaited<ReturnType<typeof listPlaces>>[number];

export const findPlaces = (
  { read }: Database,
  { usernameKey, places, since }: { usernameKey: string; places: readonly string[]; since: number },
): Promise<string[]> =>
  valuesOf(
    read
      .selectFrom('known_places')
      .innerJoin('users', 'users.id', 'known_places.user_id')
      .select('place')
      .where('users.username_key', '=', usernameKey)
      .where('place', 'in', places)
      .where('last_seen', '>', since),
  );

export const listPlaces = (db: Queryable, userId: string) =>
  db
    .selectFrom('known_places')
    .select(['place', 'last_seen', 'visits'])
    .where('user_id', '=', userId)
    .execute();

export async function visitPlaces(
  trx: Trx,
  userId: string,
  { places, instant }: { places: readonly string[]; instant: number },
): Promise<void> {
  const visited = trx
    .insertInto('known_places')
    .values(places.map((place) => ({ user_id: userId, place, last_seen: instant, visits: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'place'])
        .doUpdateSet((eb) => ({ last_seen: instant, visits: eb('known_places.visits', '+', 1) })),
    );
  await perform(trx, visited);
}

export async function deletePlaces(trx: Trx, userId: string, places: readonly string[]): Promise<void> {
  await trx.deleteFrom('known_places').where('user_id', '=', userId).where('place', 'in', places).execute();
}

export async function deletePlacesBefore(trx: Trx, instant: number): Promise<void> {
  await trx.deleteFrom('known_places').where('last_seen', '<=', instant).execute();
}
