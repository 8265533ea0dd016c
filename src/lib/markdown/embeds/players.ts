export interface Video {
  site: string;
  /** Address of the player; it starts to play at once, because it is loaded by a click. */
  player: string;
  page: string;
}

interface Player {
  site: string;
  origin: string;
  hosts: readonly string[];
  read(url: URL): Omit<Video, 'site'> | null;
}

/** Returns the path segment after the first of `starts` that the path begins with, or ''. */
const idUnder = (url: URL, ...starts: string[]): string => {
  const start = starts.find((each) => url.pathname.startsWith(each));
  return start === undefined ? '' : (url.pathname.slice(start.length).split('/')[0] ?? '');
};

/** Returns a numeric query parameter as `&name=7`, or ''. */
const numberOf = (url: URL, name: string, as = name): string => {
  const value = url.searchParams.get(name) ?? '';
  return /^\d{1,9}$/.test(value) ? `&${as}=${value}` : '';
};

/**
 * Addresses are parsed and rebuilt: only the parameters named here reach a player. The forms are those of
 * each site's "share" and "embed" functions.
 */
const PLAYERS: readonly Player[] = [
  {
    site: '哔哩哔哩',
    origin: 'https://player.bilibili.com',
    hosts: ['player.bilibili.com', 'www.bilibili.com', 'bilibili.com'],
    read(url) {
      const query = url.searchParams;
      const bvid = query.get('bvid') ?? idUnder(url, '/video/');
      const aid = query.get('aid') ?? idUnder(url, '/video/av');
      const part = numberOf(url, 'p') || numberOf(url, 'page', 'p');
      const start = numberOf(url, 't');
      const [name, id] = /^BV[\dA-Za-z]{10}$/.test(bvid) ? ['bvid', bvid] : ['aid', aid];
      if (name === 'aid' && !/^\d{1,15}$/.test(id)) return null;
      return {
        player: `${this.origin}/player.html?${name}=${id}${part}${start}`,
        page: `https://www.bilibili.com/video/${name === 'aid' ? 'av' : ''}${id}${part.replace('&', '?')}`,
      };
    },
  },
  {
    site: '腾讯视频',
    origin: 'https://v.qq.com',
    hosts: ['v.qq.com'],
    read(url) {
      const inPath = /^\/x\/(?:page|cover\/\w{1,20})\/(\w{5,20})\.html$/.exec(url.pathname)?.[1];
      const id = url.searchParams.get('vid') ?? inPath ?? '';
      if (!/^\w{5,20}$/.test(id)) return null;
      return {
        player: `${this.origin}/txp/iframe/player.html?vid=${id}&autoplay=true`,
        page: `${this.origin}/x/page/${id}.html`,
      };
    },
  },
  {
    site: '优酷',
    origin: 'https://player.youku.com',
    hosts: ['player.youku.com', 'v.youku.com'],
    read(url) {
      const inPage = /^\/v_show\/id_([\w=]{6,24})\.html$/.exec(url.pathname)?.[1];
      const id = inPage ?? idUnder(url, '/embed/');
      if (!/^[\w=]{6,24}$/.test(id)) return null;
      return {
        player: `${this.origin}/embed/${id}?autoplay=true`,
        page: `https://v.youku.com/v_show/id_${id}.html`,
      };
    },
  },
  {
    site: 'YouTube',
    origin: 'https://www.youtube-nocookie.com',
    hosts: [
      'www.youtube.com',
      'youtube.com',
      'm.youtube.com',
      'youtu.be',
      'www.youtube-nocookie.com',
      'youtube-nocookie.com',
    ],
    read(url) {
      const inPath =
        url.hostname === 'youtu.be' ? idUnder(url, '/') : idUnder(url, '/embed/', '/shorts/', '/v/');
      const id = inPath || (url.searchParams.get('v') ?? '');
      if (!/^[\w-]{11}$/.test(id)) return null;
      const start = numberOf(url, 'start') || numberOf(url, 't', 'start');
      return {
        player: `${this.origin}/embed/${id}?autoplay=1${start}`,
        page: `https://www.youtube.com/watch?v=${id}${start.replace('start', 't')}`,
      };
    },
  },
  {
    site: 'Vimeo',
    origin: 'https://player.vimeo.com',
    hosts: ['player.vimeo.com', 'vimeo.com', 'www.vimeo.com'],
    read(url) {
      const id = idUnder(url, '/video/') || idUnder(url, '/');
      if (!/^\d{5,12}$/.test(id)) return null;
      const key = url.searchParams.get('h') ?? '';
      const secret = /^[\da-f]{8,12}$/.test(key) ? key : '';
      return {
        player: `${this.origin}/video/${id}?autoplay=1${secret && `&h=${secret}`}`,
        page: `https://vimeo.com/${id}${secret && `/${secret}`}`,
      };
    },
  },
];

export const PLAYER_ORIGINS: readonly string[] = PLAYERS.map(({ origin }) => origin);

/** Returns the video at the address of a page or player; null if the site is unknown or it is not a video. */
export function videoAt(address: string): Video | null {
  const url = URL.parse(address, 'https://none.invalid');
  if (!url) return null;
  const known = PLAYERS.find(({ hosts }) => hosts.includes(url.hostname));
  const found = known?.read(url);
  return known && found ? { site: known.site, ...found } : null;
}
