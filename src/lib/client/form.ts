/** Values of a call. An array becomes `name[0]=…&name[1]=…`; undefined is omitted. */
export type FormFields = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Encodes `fields` as a qs form (CONTRACT.md "Basics"), which cannot express an empty array. */
export function toForm(fields: FormFields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) value.forEach((item: string, index) => form.append(`${name}[${index}]`, item));
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
