export interface PictureSchema {
  article_pictures: ArticlePicturesTable;
  revision_pictures: ArticlePicturesTable;
  version_pictures: {
    version_id: string;
    picture: string;
  };
  /** Texts that are still to be scanned for pictures: those after the key `cursor`. */
  picture_scans: {
    source: 'articles' | 'revisions' | 'versions';
    cursor: string;
  };
  picture_variants: {
    file: string;
    picture: string;
    bytes: number;
    /** Day of the last request, counted from 1970; up to a week too early. */
    asked_day: number;
  };
}

/** An uploaded picture (`files.name`) of the author that an article or its unpublished revision shows. */
interface ArticlePicturesTable {
  article_id: string;
  picture: string;
}
