import type { EventView } from '../../server/contract/views.ts'
import { DetailsPane } from '../components/details-pane.tsx'
import { lazy } from '../components/lazy.tsx'
import { closeReplayEditor, editedDelivery } from './replay-state.ts'

const ReplayEditor = lazy(async () => (await import('./replay-editor.tsx')).ReplayEditor, 'empty')

/** The editor of a webhook. It replaces the details of an event. */
export const ReplayPane = ({ event }: { readonly event: EventView }) =>
  editedDelivery.value !== undefined && (
    <DetailsPane label="Edit and replay" listName="Details" isOpen onClose={closeReplayEditor}>
      <ReplayEditor key={editedDelivery.value} deliveryId={editedDelivery.value} event={event} />
    </DetailsPane>
  )
