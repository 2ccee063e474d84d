/** The organization that the first start creates. What concerns the whole server is shown to its admins. */
export const defaultOrganization = "default";
