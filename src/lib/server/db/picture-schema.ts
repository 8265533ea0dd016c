/** A picture of its author's that an article, or its unpublished revision, shows. */
export interface ArticlePicturesTable {
  article_id: string;
  /** `files.name`. */
  picture: string;
}

/** A picture of its author's that an earlier text shows. */
export interface VersionPicturesTable {
  version_id: string;
  picture: string;
}

/** A smaller copy of a picture. */
export interface PictureVariantsTable {
  /** Name of its file. */
  file: string;
  /** `files.name` of the picture. */
  picture: string;
  bytes: number;
  /** The day, since 1970, on which it was asked for; up to a week too early. */
  asked_day: number;
}

/** Texts that are still to be looked through for pictures, after the key `cursor`. */
export interface PictureScansTable {
  source: 'articles' | 'revisions' | 'versions';
  cursor: string;
}
