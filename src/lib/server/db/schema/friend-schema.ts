import type { Generated } from 'kysely';
import type { FRIEND_STATES } from '../../../contract/calls/friend-calls.ts';
import type { CleanColumn } from './clean-columns.ts';

export interface FriendSchema {
  /** Sites that this one links to, and applications for it. */
  friends: {
    id: string;
    state: (typeof FRIEND_STATES)[number];
    name: CleanColumn;
    url: CleanColumn;
    /** Host of `url` without `www.`: one application each. */
    host: string;
    description: CleanColumn;
    /** Address of an uploaded picture; in an application, of a picture elsewhere. '' for none, as `feed`. */
    logo: string;
    feed: string;
    email: string;
    group_name: string;
    position: number;
    create_time: number;
    /** When the site is checked next, and was last. */
    check_due: Generated<number>;
    check_time: Generated<number>;
    /** Failed checks in a row, and the time of the first. */
    failures: Generated<number>;
    failing_since: Generated<number>;
    problem: Generated<string>;
    /** The same for the feed; `feed_etag` and `feed_modified` make its next request conditional. */
    feed_due: Generated<number>;
    feed_failures: Generated<number>;
    feed_problem: Generated<string>;
    feed_etag: Generated<string>;
    feed_modified: Generated<string>;
  };
  /** Newest articles of the feeds of friends. */
  friend_entries: {
    /** Hash of friend and address. */
    id: string;
    friend_id: string;
    title: CleanColumn;
    url: string;
    publish_time: number;
  };
}
