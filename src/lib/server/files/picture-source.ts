const REFERERS: readonly [host: string, referer: string][] = [
  ['byteimg.com', 'https://juejin.cn/'],
  ['juejin.cn', 'https://juejin.cn/'],
  ['nlark.com', 'https://www.yuque.com/'],
  ['yuque.com', 'https://www.yuque.com/'],
  ['qpic.cn', 'https://mp.weixin.qq.com/'],
  ['qlogo.cn', 'https://mp.weixin.qq.com/'],
  ['github.com', 'https://github.com/'],
  ['githubusercontent.com', 'https://github.com/'],
  ['githubassets.com', 'https://github.com/'],
  ['csdnimg.cn', 'https://blog.csdn.net/'],
  ['zhimg.com', 'https://www.zhihu.com/'],
  ['jianshu.io', 'https://www.jianshu.com/'],
  ['cnblogs.com', 'https://www.cnblogs.com/'],
  ['sinaimg.cn', 'https://weibo.com/'],
  ['feishu.cn', 'https://www.feishu.cn/'],
];

export function pictureHeaders({ hostname }: URL): Record<string, string> {
  const found = REFERERS.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return { Accept: 'image/*', ...(found ? { Referer: found[1] } : {}) };
}

/** Returns the URL of the raw file when `address` is a GitHub page about it; otherwise `address`. */
export function pictureAddress(address: string): string {
  const page = /^https?:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/([^?#]+)/i.exec(address);
  return page ? `https://github.com/${page[1]}/raw/${page[2]}` : address;
}

/** Accepts unknown types too: some storage services label pictures as plain bytes. */
export const mayBePicture = (type: string): boolean =>
  type.startsWith('image/') || ['', 'application/octet-stream', 'binary/octet-stream'].includes(type);
