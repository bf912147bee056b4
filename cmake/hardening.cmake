# What makes a mistake in memory end the program rather than obey whoever wrote the input. Optimised
# builds only: the checks of _FORTIFY_SOURCE need an optimiser, and sanitizers have better ones.
include(CheckPIESupported)
check_pie_supported()
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT CREDENCE_SANITIZE)
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
