import { z } from 'zod';

// Schemas with the title of their field in Chinese, which the description of the API shows.
export const string = (title: string) => z.string().meta({ title });
export const strings = (title: string) => z.array(z.string()).meta({ title });
export const int = (title: string) => z.int().meta({ title });
export const boolean = (title: string) => z.boolean().meta({ title });
/** UTC time in ISO 8601. */
export const instant = (title: string) => z.iso.datetime().meta({ title });
export const list = <T extends z.ZodType>(title: string, item: T) => z.array(item).meta({ title });
export const object = <T extends z.core.$ZodLooseShape>(title: string, shape: T) =>
  z.object(shape).meta({ title });
export const choice = <const T extends readonly string[]>(title: string, values: T) =>
  z.enum(values).meta({ title });

/** Returns the keys of a table as values for `z.enum`. */
export const namesOf = <T extends object>(table: T) =>
  Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
