/** The organization that the first start creates. What concerns the whole server is open to its admins alone. */
export const defaultOrganization = "default";
