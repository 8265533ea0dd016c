import { describe, expect, test } from 'vitest';
import { formerFeed } from '../../../src/components/documents/former-address.ts';

const feedAt = (address: string) => formerFeed(new URL(address, 'https://blog.example'));

describe('the former address of a feed', () => {
  test.each([
    ['rss', ['/feed', '/feed/', '/rss', '/rss/', '/feed/rss', '/feed/rss2/', '/feed/feed/', '/feed/rdf']],
    ['rss', ['/rss.xml', '/rss2.xml', '/index.xml', '/feed/index.xml', '/feed.rss', '/RSS.xml']],
    ['rss', ['/?feed=rss2', '/?feed=rss', '/?feed=rdf', '/?feed=feed', '/?feed=RSS2&utm_source=x']],
    [
      'rss',
      ['/wp-rss2.php', '/wp-feed.php', '/index.php/feed/', '/index.php/feed/rss/', '/index.php?feed=rss2'],
    ],
    ['atom', ['/feed/atom', '/feed/atom/', '/atom', '/atom/', '/feed.atom', '/wp-atom.php', '/?feed=atom']],
    ['json', ['/feed/json', '/?feed=json']],
  ])('has the format %s: %j', (format, addresses) => {
    expect(addresses.map((address) => [address, feedAt(address)])).toEqual(
      addresses.map((address) => [address, format]),
    );
  });

  test.each([
    ['/'],
    ['/index.php'],
    ['/feed/comments'],
    ['/comments/feed/'],
    ['/feed/user/a/feed.xml'],
    ['/tag/a/feed/'],
    ['/feeding'],
    ['/index.html'],
    ['/?feed='],
    ['/?feed=comments-rss2'],
    ['/?feed=constructor'],
    ['/?feeds=rss2'],
    ['/constructor'],
    ['/home?feed=rss2'],
    ['/feed//'],
  ])('is not %s', (address) => {
    expect(feedAt(address)).toBeNull();
  });
});
