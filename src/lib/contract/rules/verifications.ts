/** Meta tags by which search engines recognise the owner of a site, by field of the settings. */
export const VERIFICATIONS = {
  verify_baidu: { engine: '百度', tag: 'baidu-site-verification' },
  verify_bing: { engine: '必应', tag: 'msvalidate.01' },
  verify_google: { engine: '谷歌', tag: 'google-site-verification' },
  verify_360: { engine: '三六零', tag: '360-site-verification' },
  verify_sogou: { engine: '搜狗', tag: 'sogou_site_verification' },
  verify_toutiao: { engine: '头条', tag: 'bytedance-verification-code' },
} as const;

export type VerificationField = keyof typeof VERIFICATIONS;
export const VERIFICATION_FIELDS = Object.keys(VERIFICATIONS) as VerificationField[];

/** Content of such a tag. */
export const isVerificationCode = (text: string): boolean => /^[\w./+=:-]{1,200}$/.test(text);

/** Returns the content of a tag that was pasted as a whole, or the text itself. */
export const verificationCodeIn = (text: string): string =>
  /^<meta\s[^<>]*?content=["']?([^"'<>\s]+)/i.exec(text)?.[1] ?? text;
