export const IMAGE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|ico|tiff?)$/i;
export const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
export const DOCUMENT = /\.(?:md|markdown|mdx|html?)$/i;
export const FILE =
  /\.(?:mp4|webm|mov|m4v|mp3|m4a|ogg|wav|flac|pdf|zip|rar|7z|gz|tar|docx?|xlsx?|pptx?|epub|apk|exe|dmg|txt|csv|json)$/i;
