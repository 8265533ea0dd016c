/** Minimum and maximum characters of each text, and maximum number of links. */
export const SITE_BOUNDS = {
  title: [1, 40],
  description: [0, 200],
  beian: [0, 60],
  footer: [0, 300],
  label: [1, 8],
  links: 4,
} as const;

export const SITE_PATTERNS = {
  href: /^(?:\/(?![/\\])|https?:\/\/|mailto:)[^\s\\]+$|^\/$/,
  police_beian: /^(?:\p{Script=Han}{1,2}公网安备\s?\d{8,16}号(?:-\d+)?)?$/u,
  accent: /^#[0-9a-f]{6}$/,
};
