/** Filters of the console's list of tags: with public articles, without, without a description. */
export const TAG_KINDS = ['used', 'empty', 'undescribed'] as const;
