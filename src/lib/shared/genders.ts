/** Labels of the genders of a profile; `x` is the default and is not shown. */
export const GENDERS = { x: '保密', m: '男', f: '女' } as const;

export type Gender = keyof typeof GENDERS;

/** Returns the label to show on a profile, '' for none. */
export const shownGender = (gender: Gender): string => (gender === 'x' ? '' : GENDERS[gender]);
