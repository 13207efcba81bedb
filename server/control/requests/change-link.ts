import type { Context } from 'hono'
import type { Link } from '../../domain/links/link.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { LinkSchema } from '../../contract/schemas/link.ts'
import type { LinkView } from '../../contract/views.ts'
import type { ControlContext } from '../context.ts'
import { presentLinks } from '../present-links.ts'
import { findLink, linkRef } from './find-link.ts'

/** Describes the routes that change one link and answer with it. */
export const linkChange = {
  params: { ref: linkRef },
  responses: { 200: LinkSchema },
  errors: [404, 409],
} as const

/** Changes the link that the path names, and presents it. */
export const createLinkChange =
  ({ store, baseUrl }: ControlContext) =>
  (c: Context, change: (work: UnitOfWork, link: Link) => Promise<Link>): Promise<LinkView> =>
    store.transact(async (work) => {
      const link = await change(work, await findLink(work.db, c.req.param('ref') ?? ''))
      const [view] = await presentLinks(work.db, [link], baseUrl(c))
      return view!
    })
