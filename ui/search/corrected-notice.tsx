/** Says that no row contains the search exactly, and that similar rows are shown. */
export const CorrectedNotice = ({
  query,
  corrected,
}: {
  readonly query: string
  readonly corrected: string | undefined
}) => (
  <div role="status">
    {corrected !== undefined && (
      <p class="notice">
        Nothing contains “{query}”. These results contain “{corrected}”.
      </p>
    )}
  </div>
)
