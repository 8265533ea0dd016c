export interface PictureSchema {
  article_pictures: ArticlePicturesTable;
  revision_pictures: ArticlePicturesTable;
  version_pictures: {
    version_id: string;
    picture: string;
  };
  picture_scans: PictureScansTable;
  picture_variants: PictureVariantsTable;
}

/** An uploaded picture (`files.name`) of the author that an article or its unpublished revision shows. */
interface ArticlePicturesTable {
  article_id: string;
  picture: string;
}

export interface PictureVariantsTable {
  file: string;
  picture: string;
  bytes: number;
  /** Day of the last request, counted from 1970; up to a week too early. */
  asked_day: number;
}

/** Texts that are still to be scanned for pictures: those after the key `cursor`. */
export interface PictureScansTable {
  source: 'articles' | 'revisions' | 'versions';
  cursor: string;
}
