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

/** Texts that are still to be looked through for pictures, after the key `cursor`. */
export interface PictureScansTable {
  source: 'articles' | 'revisions' | 'versions';
  cursor: string;
}
